//! A socket that reports its progress.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::progress::Progress;

/// The maximum bytes that may wait in the system to be sent, so that the server notices whether a
/// client reads.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 128 * 1024;

/// A socket that reports its progress.
#[derive(Debug)]
pub(super) struct Stream {
    socket: TcpStream,
    progress: Arc<Progress>,
}

impl Stream {
    pub(super) fn new(socket: TcpStream, progress: Arc<Progress>) -> Self {
        // Responses are written in whole; if the system rejects these options, the socket works
        // without.
        let _ = socket.set_nodelay(true);
        #[cfg(target_os = "linux")]
        let _ = socket2::SockRef::from(&socket).set_tcp_notsent_lowat(UNSENT);
        Self { socket, progress }
    }

    fn told(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending => self.progress.written(false),
            Poll::Ready(Ok(_)) => self.progress.written(true),
            Poll::Ready(Err(_)) => {}
        }
        written
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.progress.read();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.told(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, slices);
        self.told(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
