import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/studio.css'
import './styles/sheet.css'
import './styles/result.css'
import './styles/pages.css'
import { render } from 'solid-js/web'
import { endStart } from './components/soon.tsx'
import { Site } from './site.tsx'

const root = document.getElementById('app')
if (root !== null) {
  // In a task of its own: reading the script took one already.
  setTimeout(() => {
    // The static shell of index.html has done its work.
    root.textContent = ''
    render(() => <Site />, root)
    endStart()
  })
}
