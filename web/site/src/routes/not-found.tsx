import { Identicon } from '../components/identicon.tsx'
import { Title } from '../components/shell.tsx'
import { pageMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'

export default function NotFound() {
  return (
    <section class="page empty">
      <Title>{pageMessages.titles.notFound}</Title>
      <Identicon seed="404" lines={5} />
      <h1>{pageMessages.notFound.title}</h1>
      <a class="button" href={at('/')}>
        {pageMessages.notFound.home}
      </a>
    </section>
  )
}
