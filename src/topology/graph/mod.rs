//! Temporary.
#[derive(Debug)]
pub struct Graph {
    pub edges: Vec<[u32; 2]>,
}
impl Graph {
    pub fn new(_nodes: u32, edges: Vec<[u32; 2]>) -> Self {
        Self { edges }
    }
}
