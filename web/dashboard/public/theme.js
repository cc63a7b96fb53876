// Before the first paint: the colours that the reader chose on this site.
try {
  const theme = localStorage.getItem('coinslot.theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {
  // Site data is blocked: use the system's colours.
}
