"""Who may do what: one table of all routes, from which guards, document and pages derive."""
