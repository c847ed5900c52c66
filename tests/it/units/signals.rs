//! The signals that stop a server.

use std::process::{Command, id};

use toposcope::server::told_to_stop;

const NAME: &str = "units::signals::a_server_listens_for_signals_before_it_waits_for_one";
/// Set in a process of its own, which gets the signal. If nobody listened, it would end all tests of
/// the process; once somebody has, nothing but SIGKILL ends them.
const ALONE: &str = "TOPOSCOPE_TEST_SIGNALS";

#[tokio::test]
async fn a_server_listens_for_signals_before_it_waits_for_one() {
    if std::env::var_os(ALONE).is_none() {
        let mut alone = Command::new(std::env::current_exe().unwrap());
        let output = alone.args(["--exact", NAME]).env(ALONE, "yes").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
        return;
    }
    let told_to_stop = told_to_stop().unwrap();
    let sent = Command::new("kill").args(["-TERM", &id().to_string()]).status();
    assert!(sent.unwrap().success());
    told_to_stop.await;
}
