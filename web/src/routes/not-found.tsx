import { Rosette } from '../components/rosette.tsx'
import { Title } from '../components/title.tsx'
import { words } from '../words/en.ts'

export default function NotFound() {
  return (
    <section class="page empty">
      <Title>{words.titles.notFound}</Title>
      <Rosette seed="404" lines={5} />
      <h1>{words.notFound.title}</h1>
      <a class="button" href="/">
        {words.notFound.home}
      </a>
    </section>
  )
}
