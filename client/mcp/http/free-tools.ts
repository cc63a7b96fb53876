import { ReceiptError } from '../../node/errors.ts'
import { publishedSigner, verifyReceipt } from '../../node/receipt.ts'
import { TASKS } from '../../src/tasks.ts'
import { atomic } from '../arguments.ts'
import { FREE_TOOLS, listModels } from '../tool-table.ts'
import { type Answer, ApiProblem } from './api.ts'
import { defaultId, readModels } from './models.ts'
import { errorResult, jsonResult, refusalResult } from './results.ts'
import { defineTool, type Tool } from './tool.ts'

function bodyOf(answer: Answer): Record<string, unknown> {
  if (answer.status === 200) return answer.body
  throw new ApiProblem(answer)
}

/** The tools that cost nothing. */
export const FREE: readonly Tool[] = [
  defineTool(FREE_TOOLS.listModels, async (filter, { api }) => jsonResult(listModels(await readModels(api), filter))),

  defineTool(FREE_TOOLS.estimate, async ({ task, model, maxUsdc }, { api, models }) => {
    const all = await models(api)
    const id = model ?? defaultId(all, task ?? TASKS.image)
    const ofTask = task ?? all.find((one) => one.id === id)?.task ?? TASKS.image
    const price = bodyOf(await api.post('/mcp/inference/estimate', { task: ofTask, model: id }))
    const withinMaxUsdc = maxUsdc === undefined || atomic(String(price['estimatedCostUsdc'])) <= atomic(maxUsdc)
    return jsonResult({ model: id, ...price, withinMaxUsdc })
  }),

  defineTool(FREE_TOOLS.status, async ({ id: { id, key } }, { api }) => {
    const answer = await api.get(`/mcp/inference/${id}${key === undefined ? '' : `?key=${key}`}`)
    return answer.status === 200 ? jsonResult(answer.body) : refusalResult(answer)
  }),

  defineTool(FREE_TOOLS.verifyReceipt, async ({ receipt }, { api }) => {
    const signer = publishedSigner(bodyOf(await api.get('/.well-known/coinslot.json')))
    try {
      const { receipt: found, signedBy } = await verifyReceipt(receipt, signer)
      return jsonResult({ signedBy, isOfThisService: signer !== undefined, receipt: found.message })
    } catch (error) {
      if (error instanceof ReceiptError) return errorResult(error.message)
      throw error
    }
  }),
]
