//! Lists of different lengths in one allocation: row after row.

/// Rows of items.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    /// The end of each row; it begins at the previous one's end.
    ends: Vec<usize>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { ends: Vec::new(), items: Vec::new() }
    }
}

impl<T> Rows<T> {
    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.ends.push(self.items.len());
    }

    /// Returns a row; empty if the index is out of range.
    pub fn row(&self, number: usize) -> &[T] {
        let end = |number: usize| self.ends.get(number).copied();
        let begin = number.checked_sub(1).map_or(Some(0), end);
        begin.zip(end(number)).and_then(|(begin, end)| self.items.get(begin..end)).unwrap_or_default()
    }

    /// Returns the rows in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> + Clone {
        (0..self.ends.len()).map(|number| self.row(number))
    }
}

impl<T: Copy + Default> Rows<T> {
    /// Puts each item into the row of its key, in the given order; skips keys beyond the last row.
    pub fn sorted(rows: usize, items: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut ends = vec![0_usize; rows];
        for (key, _) in items.clone() {
            if let Some(count) = ends.get_mut(key) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            // At first the start of the row; each item then moves it on.
            sum += std::mem::replace(end, sum);
        }
        let mut sorted = vec![T::default(); sum];
        for (key, item) in items {
            if let Some(at) = ends.get_mut(key)
                && let Some(place) = sorted.get_mut(*at)
            {
                *place = item;
                *at += 1;
            }
        }
        Self { ends, items: sorted }
    }
}
