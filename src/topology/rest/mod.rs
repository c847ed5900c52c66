//! Topology over REST: a network as a graph in many formats, and its unknown neighbors.

mod drawing;
mod format;

use std::sync::Arc;

use axum::{
    extract::State,
    http::{
        HeaderValue, Method,
        header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};
use toposcope_topology::{
    export::{self, Export, Format},
    network::{Snapshot, neighborhood::Region},
    view::{View, of_network},
};
use toposcope_types::{Id, Layer, PermissionLevel};

use self::{
    drawing::{Drawing, Topology, TopologyOfNetwork, UnresolvedNeighbor},
    format::{AskedFormat, AskedView},
};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    input::given,
    networks, resource,
    rest::{
        endpoint::{Access, Endpoint},
        envelope::{List, One, Pagination},
        extract::Path,
        file_name::{Place, content_disposition},
        query::Query,
        routes::Routes,
    },
    topology::region::region,
};

/// The policy for a drawing: it has inline styles; opened as a page, it loads and runs nothing.
const SVG_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                          form-action 'none'; frame-ancestors 'none'; sandbox";

/// Returns the topology routes.
pub fn router() -> Routes {
    let endpoint = |path, id, summary| {
        Endpoint::new(Method::GET, path, id, summary)
            .tag("Topology")
            .access(Access::Level(PermissionLevel::Viewer))
    };
    let topology = endpoint(
        "/networks/{id}/topology",
        "get_topology",
        "Returns a network as a graph, as JSON or in the format of another tool.",
    )
    .query(parse)
    .answers::<Drawing>()
    .or_files(&Export::ALL.map(Export::media_type));
    let unresolved = endpoint(
        "/networks/{id}/unresolved",
        "list_unresolved_neighbors",
        "Lists neighbors that were heard but are not in the inventory, grouped by the identity that they claim, most heard first.",
    )
    .query(page)
    .answers_page::<UnresolvedNeighbor>();
    let mermaid = endpoint(
        "/topology/{network_id}/export/mermaid",
        "export_mermaid",
        "Returns devices and the links between them as a Mermaid flowchart.",
    )
    .query(view)
    .answers_text("text/plain");
    let list = endpoint(
        "/topology",
        "list_topologies",
        "Lists the networks within reach by name; each of them is a graph.",
    )
    .query(page)
    .answers_page::<Topology>();
    let one = endpoint(
        "/topology/{network_id}",
        "get_topology_of_network",
        "Returns a network as a graph.",
    )
    .query(part)
    .answers::<TopologyOfNetwork>();
    let data = endpoint("/topology/data", "get_topology_data", "Returns a network as a graph.")
        .query(part_of_network)
        .requires("network_id")
        .answers::<TopologyOfNetwork>()
        .not_found();
    Routes::default()
        .add(list, self::list)
        .add(data, self::data)
        .add(one, self::one)
        .add(topology, self::topology)
        .add(unresolved, self::unresolved)
        .add(mermaid, self::mermaid)
}

/// The requested part of a network, and its format.
#[derive(Clone, Copy, Debug)]
struct Asked {
    layer: Layer,
    root: Option<Id>,
    hops: Option<u32>,
    format: Format,
}

fn parse(query: &mut Query) -> Result<Asked> {
    Ok(Asked {
        layer: query.one("layer")?.unwrap_or(Layer::L2),
        root: query.one("root")?,
        hops: query.count("hops")?,
        format: query.one::<AskedFormat>("format")?.map_or(Format::Json, |asked| asked.0),
    })
}

/// Reads the view of the contract, which is a layer here.
fn view(query: &mut Query) -> Result<Layer> {
    Ok(query.one::<AskedView>("view")?.map_or(Layer::L2, |asked| asked.0))
}

fn part(query: &mut Query) -> Result<Asked> {
    let layer = view(query)?;
    let (root, hops) = (query.one("root")?, query.count("hops")?);
    Ok(Asked { layer, root, hops, format: Format::Json })
}

fn part_of_network(query: &mut Query) -> Result<(Id, Asked)> {
    let network_id = query.one("network_id")?;
    let asked = part(query)?;
    Ok((given::required("network_id", network_id)?, asked))
}

fn page(query: &mut Query) -> Result<(u64, u64)> {
    Ok((query.limit("limit")?, query.offset("offset")?))
}

async fn topology(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path,
    mut query: Query,
) -> Result<Response> {
    let asked = parse(&mut query)?;
    query.finish()?;
    answer(app, viewer, id, asked).await
}

async fn mermaid(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path,
    mut query: Query,
) -> Result<Response> {
    let layer = view(&mut query)?;
    query.finish()?;
    let format = Format::Export(Export::Mermaid);
    answer(app, viewer, id, Asked { layer, root: None, hops: None, format }).await
}

async fn list(State(app): State<App>, viewer: Viewer, mut query: Query) -> Result<List<Topology>> {
    let (limit, offset) = page(&mut query)?;
    query.finish()?;
    let all = networks::in_reach(&app, &viewer).await?;
    let total_count = all.len() as u64;
    let rows: Vec<Topology> = cut(all.into_iter(), limit, offset).map(Topology::from).collect();
    let pagination = Pagination::new(total_count, limit, offset, rows.len());
    Ok(List { rows, pagination })
}

async fn one(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path,
    mut query: Query,
) -> Result<Response> {
    let asked = part(&mut query)?;
    query.finish()?;
    of_network(app, viewer, id, asked).await
}

async fn data(State(app): State<App>, viewer: Viewer, mut query: Query) -> Result<Response> {
    let (id, asked) = part_of_network(&mut query)?;
    query.finish()?;
    of_network(app, viewer, id, asked).await
}

async fn of_network(app: App, viewer: Viewer, id: Id, asked: Asked) -> Result<Response> {
    let network = resource::get::<networks::Entity>(app.db.reader(), &viewer, id).await?;
    let answer = move |snapshot: &Snapshot, view, region: &Region| {
        let drawing = Drawing::new(view, snapshot, region);
        One(TopologyOfNetwork::new(network, drawing)).into_response()
    };
    drawn(app, viewer, id, asked, answer).await
}

async fn answer(app: App, viewer: Viewer, id: Id, asked: Asked) -> Result<Response> {
    let answer = move |snapshot: &Snapshot, view, region: &Region| {
        let response = match asked.format {
            Format::Json => One(Drawing::new(view, snapshot, region)).into_response(),
            Format::Export(form) => {
                let mut file = export::write(form, &view).into_response();
                let media_type = HeaderValue::from_static(form.media_type());
                file.headers_mut().insert(CONTENT_TYPE, media_type);
                file
            }
        };
        called(response, asked, &snapshot.network)
    };
    drawn(app, viewer, id, asked, answer).await
}

/// Draws the requested part of a network on a separate thread: a large network takes a moment to
/// draw, and other requests must not wait for it.
async fn drawn(
    app: App,
    viewer: Viewer,
    id: Id,
    asked: Asked,
    answer: impl FnOnce(&Snapshot, View, &Region) -> Response + Send + 'static,
) -> Result<Response> {
    let snapshot = crate::topology::current::snapshot(&app, &viewer, id).await?;
    let drawn = tokio::task::spawn_blocking(move || {
        let region = region(&snapshot, asked.layer, asked.root, asked.hops)?;
        let view = of_network::view(&snapshot, asked.layer, &region);
        Ok(answer(&snapshot, view, &region))
    });
    drawn.await.map_err(anyhow::Error::from)?
}

/// Names the file that a response is saved as; JSON and SVG may also be shown inline.
fn called(mut response: Response, asked: Asked, network: &str) -> Response {
    let Asked { layer, format, .. } = asked;
    if matches!(format, Format::Export(Export::Svg)) {
        let policy = HeaderValue::from_static(SVG_POLICY);
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    let shown = matches!(format, Format::Json | Format::Export(Export::Svg));
    let place = if shown { Place::Inline } else { Place::Attachment };
    let suffix = format!("-{}.{}", layer.name(), format.extension());
    let disposition = content_disposition(place, network, &suffix);
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    response
}

async fn unresolved(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path,
    mut query: Query,
) -> Result<List<UnresolvedNeighbor>> {
    let (limit, offset) = page(&mut query)?;
    query.finish()?;
    let snapshot = crate::topology::current::snapshot(&app, &viewer, id).await?;
    let whole = Arc::clone(&snapshot);
    let grouped = tokio::task::spawn_blocking(move || whole.unknown().len());
    let total_count = grouped.await.map_err(anyhow::Error::from)? as u64;
    let page = cut(snapshot.unknown().iter(), limit, offset);
    let page = page.map(|group| snapshot.unknown_neighbor(group));
    let rows = drawing::unresolved(&app, &snapshot, page.collect()).await?;
    let pagination = Pagination::new(total_count, limit, offset, rows.len());
    Ok(List { rows, pagination })
}

/// Returns a page of rows in memory; the limit 0 means all of them.
fn cut<T>(all: impl Iterator<Item = T>, limit: u64, offset: u64) -> impl Iterator<Item = T> {
    let most = if limit == 0 { usize::MAX } else { usize::try_from(limit).unwrap_or(usize::MAX) };
    all.skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(most)
}
