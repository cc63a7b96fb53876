import { pick, type Random } from '../random.ts'
import { type Colour, type ColourWord, colourWords, hex } from './colour.ts'
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
  /** Water in front of mountains. */
  water: boolean
  /** Colours the prompt names and no subject took. */
  colours: Colour[]
}

const SETTINGS: readonly [RegExp, Setting][] = [
  [/\b(space|galaxy|planet|nebula|cosm|astronaut|orbit)/, 'space'],
  [/\b(fjord|mountain lake|alpine lake)/, 'mountains'],
  [/\b(sea|ocean|beach|coast|lake|harbou?r|island|lagoon|river|wave|cliff|boat|ship|sail|lighthouse)/, 'sea'],
  [/\b(mountain|alps?|peak|summit|volcano|snowy|glacier)/, 'mountains'],
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
  [/\b(storm|thunder|gloomy|overcast|moody|rain)/, 'storm'],
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
    colours: [...petalsOf(text), ...colours.map(({ colour }) => colour).filter((colour) => !taken.has(colour))],
    water: /\b(lake|river|fjord|lagoon|sea|ocean)/.test(text),
  }
}

const FLOWER_FIELD =
  /\b(flowers|tulips|poppies|daisies|roses|(?:poppy|flower|tulip|lavender|sunflower)s? (?:field|meadow|garden)s?)\b/

function findSubjects(text: string, colours: ColourWord[]): Plan['subjects'] {
  const found = SUBJECTS.flatMap(({ name, words }) => {
    const match = words.exec(text)
    return match ? [{ name, at: match.index }] : []
  })
  // A field of flowers is ground, not one flower as tall as a tree; a town is made of houses, a forest of trees.
  const alone = found.filter(
    ({ name }) =>
      !(name === 'flower' && FLOWER_FIELD.test(text)) &&
      !(name === 'house' && /\b(city|town)\b/.test(text)) &&
      !((name === 'pine' || name === 'tree') && /\b(forest|woods?|jungle)\b/.test(text)),
  )
  return alone
    .sort((a, b) => a.at - b.at)
    .slice(0, 3)
    .map(({ name, at }) => ({ name, colour: colours.find((word) => word.at < at && at - word.at < 24)?.colour }))
}

/** The petals of a field, by the flower that is named. */
const PETALS: readonly [RegExp, string][] = [
  [/\bpopp(y|ies)/, '#d8372f'],
  [/\bsunflowers?/, '#f2b632'],
  [/\blavender/, '#8a6cc9'],
]

function petalsOf(text: string): Colour[] {
  return PETALS.filter(([pattern]) => pattern.test(text)).map(([, colour]) => hex(colour))
}

function weatherOf(text: string, season: Season): Plan['weather'] {
  if (/\b(rain|rainy|drizzle|storm)/.test(text)) return 'rain'
  if (/\b(fog|mist|foggy|misty|haze)/.test(text)) return 'fog'
  if (season === 'winter' && /\bsnow/.test(text)) return 'snow'
  return /\b(cloud|cloudy)/.test(text) ? 'cloudy' : 'clear'
}
