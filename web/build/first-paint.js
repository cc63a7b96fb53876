// In the head of every index.html: what has to be known before the first paint. `%BASE%` and `%FOLDERS%` are set by the build.
{
  const root = document.documentElement
  const base = '%BASE%'
  const folders = '%FOLDERS%'.split(' ')
  const path = location.pathname.slice(base.length).replace(/\/$/, '')
  if (path === '' || folders.includes(path)) root.dataset.start = ''
  // On a slow line the system's typefaces are used, so that text and prices come first.
  if (/[23]g/.test(navigator.connection?.effectiveType)) root.dataset.slow = ''
  else {
    for (const name of /^(zh|ja|ar)/.test(root.lang) ? ['hanken-grotesk'] : ['hanken-grotesk', 'bodoni-moda']) {
      const link = document.createElement('link')
      Object.assign(link, { rel: 'preload', as: 'font', crossOrigin: '', href: `/fonts/${name}.woff2` })
      document.head.append(link)
    }
  }
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
    // Simplified Chinese is no answer to who reads the traditional script.
    const isOther = (tag) => /^zh-(tw|hk|mo|hant)/i.test(tag)
    const known = (tag) => !isOther(tag) && folders.find((folder) => short(folder) === short(tag))
    const folder = known(language ?? '') ?? navigator.languages.map(known).find(Boolean) ?? 'en'
    if (folder !== 'en') {
      root.hidden = true
      location.replace(`${base}${folder}/${location.search}${location.hash}`)
    }
  }
}
