import { birds, cat, dog, fox, whale } from './animals.ts'
import { castle, house, lighthouse, tent, windmill } from './buildings.ts'
import type { Pen } from './pen.ts'
import { apple, astronaut, cup, flower, mushroom, pine, robot, snowman, tree } from './things.ts'
import { balloon, bicycle, car, rocket, sailboat } from './vehicles.ts'

interface Subject {
  name: string
  words: RegExp
  /** Where it belongs; what is on the ground stands on water when the scene has nothing else. */
  place: 'ground' | 'sky' | 'water'
  /** Height of the drawing, in thousandths of the shorter side. */
  size: number
  draw: (pen: Pen) => void
}

const subject = <const Name extends string>(
  name: Name,
  words: RegExp,
  place: Subject['place'],
  size: number,
  draw: (pen: Pen) => void,
) => ({ name, words, place, size, draw })

/** What can be drawn by name. */
export const SUBJECTS = [
  subject('bicycle', /\b(bicycles?|bikes?|cycling)\b/, 'ground', 340, bicycle),
  subject('car', /\b(cars?|automobile|taxi|vehicle)\b/, 'ground', 260, car),
  subject('sailboat', /\b(sail ?boats?|boats?|ships?|yachts?|sailing)\b/, 'water', 300, sailboat),
  subject('balloon', /\b(hot[ -]air balloons?|balloons?)\b/, 'sky', 300, balloon),
  subject('rocket', /\b(rockets?|spaceships?|spacecraft)\b/, 'sky', 360, rocket),
  subject('cat', /\b(cats?|kittens?|kitty)\b/, 'ground', 360, cat),
  subject('dog', /\b(dogs?|pupp(?:y|ies)|hound)\b/, 'ground', 340, dog),
  subject('fox', /\b(fox(?:es)?)\b/, 'ground', 320, fox),
  subject('birds', /\b(birds?|seagulls?|gulls?|swallows?|geese)\b/, 'sky', 200, birds),
  subject('whale', /\b(whales?|dolphins?)\b/, 'water', 240, whale),
  subject('house', /\b(houses?|cottages?|cabins?|home|hut|farm ?house)\b/, 'ground', 360, house),
  subject('lighthouse', /\b(light ?houses?)\b/, 'ground', 400, lighthouse),
  subject('windmill', /\b(wind ?mills?|mill)\b/, 'ground', 400, windmill),
  subject('castle', /\b(castles?|palace|fortress)\b/, 'ground', 400, castle),
  subject('tent', /\b(tents?|camping|campfire)\b/, 'ground', 260, tent),
  subject('tree', /\b(trees?|oaks?|maple)\b/, 'ground', 420, tree),
  subject('pine', /\b(pines?|firs?|spruces?|christmas tree)\b/, 'ground', 400, pine),
  subject('flower', /\b(flowers?|roses?|tulips?|daisy|daisies|sunflowers?|blossoms?|poppy)\b/, 'ground', 340, flower),
  subject('mushroom', /\b(mushrooms?|toadstools?)\b/, 'ground', 260, mushroom),
  subject('cup', /\b(cups?|mugs?|coffee|tea|espresso)\b/, 'ground', 300, cup),
  subject('robot', /\b(robots?|android)\b/, 'ground', 360, robot),
  subject('astronaut', /\b(astronauts?|cosmonauts?|spacem[ae]n)\b/, 'ground', 380, astronaut),
  subject('snowman', /\b(snow ?m[ae]n)\b/, 'ground', 320, snowman),
  subject('apple', /\b(apples?|fruits?)\b/, 'ground', 240, apple),
] as const satisfies readonly Subject[]

export type SubjectName = (typeof SUBJECTS)[number]['name']
