//! Reduces a line to few points without losing its peaks.

/// Reduces the points of a line; `None` is a gap. Keeps only the lowest and the highest of the points in one column of
/// pixels, in their order, so that the line looks the same and peaks stay.
pub fn reduced(points: impl Iterator<Item = Option<[f64; 2]>>) -> Vec<Option<[f64; 2]>> {
    let mut out = Vec::new();
    let mut column: Vec<[f64; 2]> = Vec::new();
    for point in points {
        let is_next = match (point, column.first()) {
            (Some([x, _]), Some([first, _])) => x.floor() != first.floor(),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_next {
            out.extend(ends(&column).map(Some));
            column.clear();
        }
        match point {
            Some(point) => column.push(point),
            None if out.last().is_some_and(Option::is_some) => out.push(None),
            None => {}
        }
    }
    out.extend(ends(&column).map(Some));
    out
}

/// Returns the lowest and the highest of some points, in their order.
fn ends(points: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let by_height = |a: &(usize, [f64; 2]), b: &(usize, [f64; 2])| a.1[1].total_cmp(&b.1[1]);
    let numbered = || points.iter().copied().enumerate();
    let ends = numbered().min_by(by_height).zip(numbered().max_by(by_height));
    let ends = ends.map(|(low, high)| if low.0 <= high.0 { [low, high] } else { [high, low] });
    let [first, second] = ends.map_or([None, None], |[first, second]| [Some(first), Some(second)]);
    let second = second.filter(|second| Some(second.0) != first.map(|first| first.0));
    first.into_iter().chain(second).map(|(_, point)| point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_their_ends_in_order() {
        let points = [[0.1, 5.0], [0.5, 9.0], [0.7, 6.0], [0.9, 1.0], [1.2, 2.0], [3.0, 3.0], [3.1, 3.0]];
        let mut points = points.map(Some).to_vec();
        points.extend([None, None, Some([3.2, 7.0]), None]);
        let expected = [[0.5, 9.0], [0.9, 1.0], [1.2, 2.0], [3.0, 3.0], [3.1, 3.0]];
        let mut expected = expected.map(Some).to_vec();
        expected.extend([None, Some([3.2, 7.0]), None]);
        assert_eq!(reduced(points.into_iter()), expected);
        assert_eq!(reduced(std::iter::empty()), []);
    }
}
