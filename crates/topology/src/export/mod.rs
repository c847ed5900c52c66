//! The export formats of a network view.
//!
//! The rule: every format writes the same [`View`]; the same facts give the same bytes, and no
//! label breaks out of its place.

pub mod csv;
mod cytoscape;
mod dot;
mod drawio;
mod graphml;
mod mermaid;
mod rfc8345;
mod svg;
mod yed;

use crate::view::View;

/// A topology format that a client can request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The product's own JSON, which the endpoint writes itself.
    Json,
    /// A format that is written from a view.
    Export(Export),
}

/// A format that is written from a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Export {
    /// Graphviz.
    Dot,
    /// GraphML, drawn for yEd.
    Graphml,
    /// A Mermaid flowchart.
    Mermaid,
    /// Cytoscape JSON.
    Cytoscape,
    /// JSON of the RFC 8345 YANG modules.
    Rfc8345,
    /// A draw.io diagram.
    Drawio,
    /// A picture.
    Svg,
    /// A line per link.
    Csv,
}

impl Format {
    /// Finds the format by its name in a request.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "json" {
            return Some(Self::Json);
        }
        Export::ALL.into_iter().find(|export| export.name() == name).map(Self::Export)
    }

    /// Returns the name of the format in a request.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Export(export) => export.name(),
        }
    }

    /// Returns the media type for `Content-Type`.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Export(export) => export.media_type(),
        }
    }

    /// Returns the file extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Export(export) => export.extension(),
        }
    }
}

impl Export {
    /// All formats that are written from a view.
    pub const ALL: [Self; 8] = [
        Self::Dot,
        Self::Graphml,
        Self::Mermaid,
        Self::Cytoscape,
        Self::Rfc8345,
        Self::Drawio,
        Self::Svg,
        Self::Csv,
    ];

    /// Returns the name of the format in a request.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Graphml => "graphml",
            Self::Mermaid => "mermaid",
            Self::Cytoscape => "cytoscape",
            Self::Rfc8345 => "rfc8345",
            Self::Drawio => "drawio",
            Self::Svg => "svg",
            Self::Csv => "csv",
        }
    }

    /// Returns the media type for `Content-Type`: the registered one (RFC 7951 data: RFC 8040), or
    /// a generic one where none is registered.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Dot => "text/vnd.graphviz; charset=utf-8",
            Self::Graphml | Self::Drawio => "application/xml; charset=utf-8",
            Self::Mermaid => "text/plain; charset=utf-8",
            Self::Cytoscape => "application/json",
            Self::Rfc8345 => "application/yang-data+json",
            Self::Svg => "image/svg+xml; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
        }
    }

    /// Returns the file extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Graphml => "graphml",
            Self::Mermaid => "mmd",
            Self::Cytoscape => "cyjs",
            Self::Rfc8345 => "rfc8345.json",
            Self::Drawio => "drawio",
            Self::Svg => "svg",
            Self::Csv => "csv",
        }
    }
}

/// Writes a view in a format.
pub fn write(format: Export, view: &View) -> String {
    match format {
        Export::Dot => dot::write(view),
        Export::Graphml => graphml::write(view),
        Export::Mermaid => mermaid::write(view),
        Export::Cytoscape => cytoscape::write(view),
        Export::Rfc8345 => rfc8345::write(view),
        Export::Drawio => drawio::write(view),
        Export::Svg => svg::write(view),
        Export::Csv => csv::write(view),
    }
}

#[cfg(test)]
mod tests;
