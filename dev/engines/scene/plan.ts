import { pick, type Random } from '../random.ts'
import { type Colour, type ColourWord, colourWords } from './colour.ts'
import { LIGHTS, type Light } from './frame.ts'
import { SUBJECTS, type SubjectName } from './subjects.ts'

export type Setting = 'hills' | 'mountains' | 'sea' | 'desert' | 'city' | 'space' | 'ribbons'
export type Season = 'summer' | 'autumn' | 'winter'

export interface Plan {
  setting: Setting
  light: Light
  season: Season
  weather: 'clear' | 'rain' | 'snow'
  subjects: { name: SubjectName; colour: Colour | undefined }[]
  /** Colours that the prompt names for no subject. */
  colours: Colour[]
}

const SETTINGS: readonly [RegExp, Setting][] = [
  [/\b(space|galaxy|planet|nebula|cosm|astronaut|orbit|rocket)/, 'space'],
  [/\b(sea|ocean|beach|coast|lake|harbou?r|island|lagoon|river|wave|cliff|boat|ship|sail|lighthouse|whale)/, 'sea'],
  [/\b(mountain|alps?|peak|summit|volcano|snowy|glacier|fjord)/, 'mountains'],
  [/\b(desert|dunes?|sahara|cactus|canyon|pyramid)/, 'desert'],
  [/\b(city|street|skyline|town|tower|neon|tokyo|london|paris|york|urban|skyscraper)/, 'city'],
  [/\b(meadow|field|garden|flowers?|farm|park|spring|windmill|forest|woods?|hills?)/, 'hills'],
  [/\b(abstract|pattern|colou?rs?|texture|wallpaper|gradient)\b/, 'ribbons'],
]

const LIGHT_WORDS: readonly [RegExp, keyof typeof LIGHTS][] = [
  [/\b(night|midnight|moon|stars?|starry|stargaz)/, 'night'],
  [/\b(sunset|dusk|evening|golden hour|twilight)/, 'sunset'],
  [/\b(dawn|sunrise|morning|early)/, 'dawn'],
  [/\b(storm|thunder|gloomy|overcast|moody|rain|fog|mist)/, 'storm'],
  [/\b(day|noon|sunny|bright|summer)/, 'day'],
]

/** The scene to draw for this prompt. The seed decides what the prompt leaves open. */
export function planScene(prompt: string, random: Random): Plan {
  const text = prompt.toLowerCase()
  const colours = colourWords(text)
  const subjects = findSubjects(text, colours)
  const setting = SETTINGS.find(([pattern]) => pattern.test(text))?.[1]
  const light = LIGHT_WORDS.find(([pattern]) => pattern.test(text))?.[1]
  const season = seasonOf(text)
  // A prompt without a known word gets bands of colour: a landscape would claim that it was understood.
  const isKnown = subjects.length > 0 || light !== undefined || season !== 'summer'
  const used = new Set(subjects.map(({ colour }) => colour))
  return {
    setting: setting ?? (isKnown ? 'hills' : 'ribbons'),
    light: LIGHTS[light ?? pick(random, ['day', 'dawn', 'sunset', 'day'])],
    season,
    weather: /\b(rain|drizzle|storm)/.test(text) ? 'rain' : /\bsnow/.test(text) ? 'snow' : 'clear',
    subjects,
    colours: colours.map(({ colour }) => colour).filter((colour) => !used.has(colour)),
  }
}

function seasonOf(text: string): Season {
  if (/\b(winter|snow|ice|icy|frozen|christmas)/.test(text)) return 'winter'
  return /\b(autumn|fall|october)\b/.test(text) ? 'autumn' : 'summer'
}

/** At most three subjects in the order of the prompt, each with the colour word shortly before it. */
function findSubjects(text: string, colours: ColourWord[]): Plan['subjects'] {
  const found = SUBJECTS.flatMap(({ name, words }) => {
    const match = words.exec(text)
    return match ? [{ name, at: match.index }] : []
  })
  return found
    .sort((a, b) => a.at - b.at)
    .slice(0, 3)
    .map(({ name, at }) => ({ name, colour: colours.find((word) => word.at < at && at - word.at < 24)?.colour }))
}
