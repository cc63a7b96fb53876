import { Identicon } from '../components/identicon.tsx'
import { Title } from '../components/title.tsx'
import { messages } from '../messages/en.ts'

export default function NotFound() {
  return (
    <section class="page empty">
      <Title>{messages.titles.notFound}</Title>
      <Identicon seed="404" lines={5} />
      <h1>{messages.notFound.title}</h1>
      <a class="button" href="/">
        {messages.notFound.home}
      </a>
    </section>
  )
}
