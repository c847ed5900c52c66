//! Measures requests, beside their bare statements and serialisation.
//!
//! Run by `benches/run`. It fills a database, starts the server and a bare server (this same
//! program with other arguments) as processes of their own, sends each of them the same number of
//! requests, and prints the processor time that server and database used for one request, as a
//! ratio to the bare server's in the same run. Machines differ and are noisy; ratios less so.
#![expect(clippy::similar_names, reason = "the server is measured beside its base, case by case")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on shall say where and stop")]

mod bare;
mod client;
mod processes;
mod seed;

use std::time::{Duration, Instant};

use client::Client;
use processes::{Server, cpu_ms};

/// One thing to measure.
struct Case {
    name: &'static str,
    /// The path at the server and the body, if it is a POST or PUT.
    path: String,
    method: &'static str,
    body: Option<String>,
    /// The path at the bare server that does the same work.
    bare: Option<&'static str>,
    requests: u32,
}

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    match args.next().as_deref() {
        Some("bare") => runtime.block_on(bare::serve(&args.next().unwrap())),
        Some(url) => runtime.block_on(measure(url, args.next())),
        None => println!("give a database URL; `benches/run` does"),
    }
}

async fn measure(url: &str, postmaster: Option<String>) {
    let postmaster: Option<u32> = postmaster.map(|pid| pid.parse().unwrap());
    let seeded = Instant::now();
    let world = seed::fill(url).await;
    println!(
        "filled in {:.1} s: 100,000 services, 300,000 bindings",
        seeded.elapsed().as_secs_f32()
    );

    let start = Instant::now();
    let server = Server::toposcope(url).await;
    println!("ready after {} ms", start.elapsed().as_millis());
    println!("idle: {} MiB", server.resident_mib());
    let bare = Server::bare(url).await;
    println!();
    println!(
        "CPU per request, server + database = sum; ratio to the bare statements and serialisation"
    );
    let client = Client::new(&world.key);
    for case in cases(&world) {
        let ours = cost(&client, &server, postmaster, &case, &case.path).await;
        let base = match case.bare {
            Some(path) => Some(cost(&client, &bare, postmaster, &case, path).await),
            None => None,
        };
        print!("{:<34} {:7.2} + {:6.2} = {:7.2} ms", case.name, ours.0, ours.1, ours.0 + ours.1);
        match base {
            Some(base) => {
                let ratio = (ours.0 + ours.1) / (base.0 + base.1);
                println!("   base {:6.2} + {:6.2}   ratio {ratio:.2}", base.0, base.1);
            }
            None => println!(),
        }
    }
    println!();
    everything(&client, &server).await;
    mixed(&client, &server, &world).await;
    println!("after 10,000 writes: {} MiB", server.resident_mib());
}

fn cases(world: &seed::World) -> Vec<Case> {
    let get = |name, path: &str, bare, requests| Case {
        name,
        path: path.to_owned(),
        method: "GET",
        body: None,
        bare: Some(bare),
        requests,
    };
    let query = |first: u32| {
        let query = format!(
            "{{ services(first: {first}) {{ totalCount nodes {{ id createdAt updatedAt name position \
             serviceDefinition source virtualization hostId networkId tags {{ id }} bindings {{ \
             __typename id createdAt updatedAt serviceId networkId ... on PortBinding {{ portId \
             interfaceId }} }} }} }} }}"
        );
        Some(serde_json::json!({ "query": query }).to_string())
    };
    let graphql = |name, first, bare, requests| Case {
        name,
        path: "/graphql".to_owned(),
        method: "POST",
        body: query(first),
        bare: Some(bare),
        requests,
    };
    vec![
        get("REST services limit=50", "/api/v1/services?limit=50", "/statements/50", 400),
        get(
            "REST services limit=50 by name",
            "/api/v1/services?limit=50&order_by=name",
            "/statements/50",
            400,
        ),
        get("REST services limit=1000", "/api/v1/services?limit=1000", "/statements/1000", 60),
        graphql("GraphQL services 50", 50, "/statements/50", 400),
        graphql("GraphQL services 1000", 1000, "/statements/1000", 60),
        get("memory only, 50", "/api/version", "/memory/50", 400),
        Case {
            name: "PUT if-entry",
            path: format!("/api/v1/if-entries/{}", world.if_entry),
            method: "PUT",
            body: Some(world.if_entry_body.clone()),
            bare: None,
            requests: 400,
        },
    ]
}

/// The processor time of one request, of the server and of the database.
async fn cost(
    client: &Client,
    server: &Server,
    postmaster: Option<u32>,
    case: &Case,
    path: &str,
) -> (f64, f64) {
    let url = format!("http://{}{path}", server.address);
    let (method, body) =
        if path == case.path { (case.method, case.body.clone()) } else { ("GET", None) };
    for _ in 0..case.requests / 10 {
        client.send(method, &url, body.clone()).await;
    }
    let before = (cpu_ms(server.pid()), postmaster.map_or(0.0, processes::cpu_ms_of_children));
    for _ in 0..case.requests {
        client.send(method, &url, body.clone()).await;
    }
    let after = (cpu_ms(server.pid()), postmaster.map_or(0.0, processes::cpu_ms_of_children));
    let each = f64::from(case.requests);
    ((after.0 - before.0) / each, (after.1 - before.1) / each)
}

/// All 100,000 services in one answer.
async fn everything(client: &Client, server: &Server) {
    let url = format!("http://{}/api/v1/services?limit=0", server.address);
    let start = Instant::now();
    let (bytes, peak) =
        tokio::join!(client.send("GET", &url, None), server.peak_mib_for(Duration::from_secs(2)));
    println!(
        "limit=0: {:.1} MB in {:.1} s, at most {peak} MiB",
        f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1e6,
        start.elapsed().as_secs_f32()
    );
}

/// 64 clients that write and read at once.
async fn mixed(client: &Client, server: &Server, world: &seed::World) {
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let (client, address) = (client.clone(), server.address.clone());
        let (id, body) = (world.if_entry.clone(), world.if_entry_body.clone());
        tasks.spawn(async move {
            let put = format!("http://{address}/api/v1/if-entries/{id}");
            let get = format!("http://{address}/api/v1/services?limit=10");
            let mut times = Vec::new();
            for nth in 0..312 {
                let start = Instant::now();
                if nth % 2 == 0 {
                    client.send("PUT", &put, Some(body.clone())).await;
                } else {
                    client.send("GET", &get, None).await;
                }
                times.push(start.elapsed());
            }
            times
        });
    }
    let mut times: Vec<Duration> = tasks.join_all().await.into_iter().flatten().collect();
    times.sort_unstable();
    let (p50, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!(
        "64 clients writing and reading: {} requests, p50 {:.1} ms, p99 {:.1} ms, ratio {:.1}",
        times.len(),
        p50.as_secs_f64() * 1e3,
        p99.as_secs_f64() * 1e3,
        p99.as_secs_f64() / p50.as_secs_f64()
    );
}
