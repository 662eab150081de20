//! The Python module `wavelens._native`; `python/wavelens` gives its function names and types.

use pyo3::prelude::*;

/// The functions of `wavelens::embedded`.
#[pymodule]
mod _native {
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;

    /// Calls a function with an object in JSON; the answer is JSON. Other threads of Python go on meanwhile.
    #[pyfunction]
    fn call(py: Python<'_>, function: &str, question: &str) -> PyResult<String> {
        let answer = py.detach(|| wavelens::embedded::call(function, question));
        answer.map(|value| value.to_string()).map_err(PyValueError::new_err)
    }

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
