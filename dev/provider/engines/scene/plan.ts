import { pick, type Random } from '../random.ts'
import { type Colour, colourWords } from './colour.ts'
import { LIGHTS, type Light } from './light.ts'
import { SUBJECTS, type SubjectName } from './subjects.ts'

export type Setting = 'hills' | 'mountains' | 'sea' | 'forest' | 'desert' | 'city' | 'meadow' | 'space' | 'ribbons'
export type Season = 'summer' | 'autumn' | 'winter'

export interface Plan {
  setting: Setting
  light: Light
  season: Season
  weather: 'clear' | 'cloudy' | 'rain' | 'snow' | 'fog'
  subjects: { name: SubjectName; colour: Colour | undefined }[]
  /** Colours the prompt names and no subject took. */
  colours: Colour[]
}

const SETTINGS: readonly [RegExp, Setting][] = [
  [/\b(space|galaxy|planet|nebula|cosm|astronaut|orbit)/, 'space'],
  [/\b(sea|ocean|beach|coast|lake|harbou?r|island|lagoon|river|wave|cliff|boat|ship|sail|lighthouse)/, 'sea'],
  [/\b(mountain|alps?|peak|summit|volcano|snowy|glacier|fjord)/, 'mountains'],
  [/\b(forest|woods?|jungle|pines?|trees|fox|deer|mushroom)/, 'forest'],
  [/\b(desert|dunes?|sahara|cactus|canyon|pyramid)/, 'desert'],
  [/\b(city|street|skyline|town|tower|neon|tokyo|london|paris|york|urban|skyscraper)/, 'city'],
  [/\b(meadow|field|garden|flowers?|poppy|poppies|tulips?|farm|park|spring|windmill)/, 'meadow'],
  [/\b(abstract|pattern|colou?rs?|texture|wallpaper|gradient)\b/, 'ribbons'],
]

const LIGHT_WORDS: readonly [RegExp, keyof typeof LIGHTS][] = [
  [/\b(night|midnight|moon|stars?|starry|stargaz)/, 'night'],
  [/\b(sunset|dusk|evening|golden hour|twilight)/, 'sunset'],
  [/\b(dawn|sunrise|morning|early)/, 'dawn'],
  [/\b(storm|thunder|gloomy|overcast|moody)/, 'storm'],
  [/\b(day|noon|sunny|bright|summer)/, 'day'],
]

/** What to draw for this prompt; what it leaves open is drawn from the seed. */
export function planScene(prompt: string, random: Random): Plan {
  const text = prompt.toLowerCase()
  const colours = colourWords(text)
  const subjects = findSubjects(text, colours)
  const named = SETTINGS.find(([pattern]) => pattern.test(text))?.[1]
  const light = LIGHT_WORDS.find(([pattern]) => pattern.test(text))?.[1]
  const season = /\b(winter|snow|ice|icy|frozen|christmas)/.test(text)
    ? 'winter'
    : /\b(autumn|fall|october)\b/.test(text)
      ? 'autumn'
      : 'summer'
  // Nothing known in it: ribbons of colour claim less than a landscape that nobody asked for.
  const known = subjects.length > 0 || light !== undefined || season !== 'summer'
  const open: readonly [Setting, ...Setting[]] = known ? ['hills', 'meadow', 'hills'] : ['ribbons']
  const taken = new Set(subjects.map(({ colour }) => colour))
  return {
    setting: named ?? pick(random, open),
    light: LIGHTS[light ?? pick(random, ['day', 'dawn', 'sunset', 'day'])],
    season,
    weather: weatherOf(text, season),
    subjects,
    colours: colours.map(({ colour }) => colour).filter((colour) => !taken.has(colour)),
  }
}

function findSubjects(text: string, colours: { colour: Colour; next: string }[]): Plan['subjects'] {
  const found = SUBJECTS.flatMap(({ name, words }) => {
    const match = words.exec(text)
    return match ? [{ name, at: match.index, word: match[0] }] : []
  }).sort((a, b) => a.at - b.at)
  return found.slice(0, 3).map(({ name, word }, index) => {
    const own = colours.find(({ next }) => word.startsWith(next) && next !== '')?.colour
    return { name, colour: own ?? (index === 0 && colours.length === 1 ? colours[0]?.colour : undefined) }
  })
}

function weatherOf(text: string, season: Season): Plan['weather'] {
  if (/\b(rain|rainy|drizzle|storm)/.test(text)) return 'rain'
  if (/\b(fog|mist|foggy|misty|haze)/.test(text)) return 'fog'
  if (season === 'winter' && /\bsnow/.test(text)) return 'snow'
  return /\b(cloud|cloudy)/.test(text) ? 'cloudy' : 'clear'
}
