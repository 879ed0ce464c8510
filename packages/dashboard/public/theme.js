// Before the first paint, or a dark page would flash light. The policy allows no script inside the page.
const theme = localStorage.getItem('davit-theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
