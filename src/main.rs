//! The `toposcope` command.

use std::process::ExitCode;

/// The stack of a worker, large enough that deep queries need not be given another.
const STACK: usize = 16 * 1024 * 1024;

fn main() -> ExitCode {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    match runtime.enable_all().thread_stack_size(STACK).build() {
        Ok(runtime) => runtime.block_on(toposcope::cli::run()),
        Err(error) => {
            eprintln!("toposcope: cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}
