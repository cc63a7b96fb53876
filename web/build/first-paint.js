// In the head of every index.html: what has to be known before the first paint. `%BASE%` and `%FOLDERS%` are set by the build.
{
  const root = document.documentElement
  const base = '%BASE%'
  const folders = '%FOLDERS%'.split(' ')
  const path = location.pathname.slice(base.length).replace(/\/$/, '')
  if (path === '' || folders.includes(path)) root.dataset.start = ''
  let language
  try {
    const theme = localStorage.getItem('coinslot.theme')
    if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
    language = localStorage.getItem('coinslot.language')
  } catch {
    // Site data is blocked: use the system's colours and languages.
  }
  // Who opens the start page from elsewhere sees it in the language chosen before, or in the browser's first language that the site has.
  if (path === '' && !document.referrer.startsWith(location.origin + base)) {
    const short = (tag) => tag.toLowerCase().split('-')[0]
    const known = (tag) => ['en', ...folders].find((folder) => short(folder) === short(tag))
    const folder = known(language ?? '') ?? navigator.languages.map(known).find(Boolean) ?? 'en'
    if (folder !== 'en') {
      root.hidden = true
      location.replace(`${base}${folder}/${location.search}${location.hash}`)
    }
  }
}
