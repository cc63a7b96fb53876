import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../test/helpers/command-line.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A service with no models, which only the proxy finds under its name, and the hosts that the proxy was asked for. */
async function startBehindProxy() {
  const service = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"models":[]}')
  })
  const port = await listening(service)
  const hosts: string[] = []
  const proxy = createServer((request, response) => {
    hosts.push(new URL(request.url ?? '').host)
    service.emit('request', request, response)
  })
  proxy.on('connect', ({ url = '' }, client, head) => {
    hosts.push(url)
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    for (const end of [client, upstream]) end.on('error', () => upstream.destroy())
  })
  return { hosts, origin: `http://127.0.0.1:${port}`, proxy: `http://127.0.0.1:${await listening(proxy)}` }
}

const models = (env: NodeJS.Dict<string>) =>
  runCommand(['models'], { PATH: process.env['PATH'], XDG_STATE_HOME: '/nonexistent', ...env })

describe('a proxy of the environment', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('error: C1 calls go through %s', async (name) => {
    const { hosts, proxy } = await startBehindProxy()
    const ended = await models({ COINSLOT_ORIGIN: 'http://coinslot.test', [name]: proxy })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(hosts.map((host) => host.split(':')[0])).toEqual(['coinslot.test'])
  })

  it('error: C1 hosts of NO_PROXY and this machine are called themselves', async () => {
    const { hosts, origin, proxy } = await startBehindProxy()
    expect((await models({ COINSLOT_ORIGIN: origin, HTTP_PROXY: proxy })).code).toBe(0)
    const ended = await models({ COINSLOT_ORIGIN: 'http://x.invalid', HTTP_PROXY: proxy, NO_PROXY: 'x.invalid' })
    expect([ended.code, hosts]).toEqual([5, []])
    expect(ended.stderr).toContain('Calls go through the proxy of HTTP_PROXY')
  })

  it('error: C1 no connection names the variable; a bad one is a wrong command line', async () => {
    const away = await models({ COINSLOT_ORIGIN: 'http://x.invalid' })
    expect([away.code, away.stderr]).toEqual([5, expect.stringContaining('Behind a proxy? Set HTTPS_PROXY.')])
    const bad = await models({ COINSLOT_ORIGIN: 'http://x.invalid', HTTPS_PROXY: 'ftp://user:secret@x' })
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('The variable HTTPS_PROXY is not the address')])
    expect(bad.stderr).not.toContain('secret')
  })
})
