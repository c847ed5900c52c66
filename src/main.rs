//! The `toposcope` command.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    toposcope::cli::run().await
}
