//! Server processes, and what Linux says that they use.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    /// The server, with limits off.
    pub(crate) async fn toposcope(url: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toposcope"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off"]);
        command.env("TOPOSCOPE_DATABASE_URL", url);
        Self::start(command)
    }

    /// The bare server: this program.
    pub(crate) async fn bare(url: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["bare", url]);
        Self::start(command)
    }

    /// Starts a server that says `http://ADDRESS` on standard error when it is ready.
    fn start(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            line.split_once("http://").map(|(_, address)| address.trim().to_owned())
        });
        // Whatever it says later must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: address.expect("the server ended before it was ready") }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn resident_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    /// The most memory seen within a time.
    pub(crate) async fn peak_mib_for(&self, time: Duration) -> u64 {
        let end = tokio::time::Instant::now() + time;
        let mut peak = 0;
        while tokio::time::Instant::now() < end {
            peak = peak.max(self.resident_mib());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        peak
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time of a process so far, in milliseconds; the kernel counts hundredths of a second.
pub(crate) fn cpu_ms(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks =
        |nth: usize| fields.get(nth).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) * 10.0
}

/// The same of a process and its children: a PostgreSQL server's connections.
pub(crate) fn cpu_ms_of_children(parent: u32) -> f64 {
    let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let children = children.unwrap_or_default();
    let pids = children.split_whitespace().filter_map(|pid| pid.parse().ok());
    pids.map(cpu_ms).sum()
}
