"""Reports: what is imbalanced, how sure that is, and what to test next; as HTML, Markdown, JSON and figures."""
