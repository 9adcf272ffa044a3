import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { freePort, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import type { Figure, Part } from './figure.ts';
import { type Load, load, memoryOf, offServerCore, onServerCore, withProgram } from './programs.ts';

const seconds = 8;
const page = '/courses';

/** A page from the memory of the program, against a server of Node's own that only sends the same bytes; each on one core. */
export const cachedPage: Part = {
  name: 'cached',
  run: () =>
    withProgram(async ({ url, process: { pid = 0 } }) => {
      const before = memoryOf(pid);
      const answer = await fetchRaw(`${url}${page}`);
      const { ours, bare } = await offServerCore(async () => ({
        ours: await load(url, pid, seconds, { path: page, headers: { 'Accept-Encoding': 'br' } }),
        bare: await loadBareNode(answer),
      }));
      return [
        ...figuresOf(`cached ${page}`, ours),
        { name: 'memory before the load', unit: 'MB', value: before },
        { name: 'memory after it', unit: 'MB', value: memoryOf(pid) },
        ...figuresOf(`a bare server of Node's, the same ${answer.body.length} bytes in brotli`, bare),
        {
          name: 'cached page: share of what a bare server of Node’s does',
          unit: '',
          value: ours.ratePerCore / bare.ratePerCore,
          goal: { atLeast: 0.8 },
          note: 'by processor time',
        },
      ];
    }, onServerCore()),
};

function figuresOf(name: string, { rate, ratePerCore, p50, p99, failures }: Load): Figure[] {
  return [
    { name: `${name}: a second`, unit: '/s', value: rate },
    { name: `${name}: a second of processor time`, unit: '/s', value: ratePerCore },
    { name: `${name}: p50`, unit: 'ms', value: p50 },
    { name: `${name}: p99`, unit: 'ms', value: p99 },
    { name: `${name}: failed`, unit: '', value: failures, goal: { atMost: 0 } },
  ];
}

type RawAnswer = { headers: IncomingHttpHeaders; body: Buffer };

/** The body as it comes over the wire, in brotli. */
async function fetchRaw(url: string): Promise<RawAnswer> {
  const sent = request(url, { headers: { 'Accept-Encoding': 'br' } }).end();
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

const answers = (url: string) =>
  fetchRaw(url).then(
    () => true,
    () => false,
  );

/** Node's own HTTP server, which only sends the same header fields and bytes: the upper limit for a program on it. */
async function loadBareNode({ headers, body }: RawAnswer): Promise<Load> {
  const { folder, remove } = temporaryFolder();
  const port = await freePort();
  const fields = Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  writeFileSync(path.join(folder, 'body'), body);
  const program = `
    const body = require('node:fs').readFileSync(${JSON.stringify(path.join(folder, 'body'))});
    const fields = ${JSON.stringify(fields.flatMap(([name, value]) => [name, String(value)]))};
    require('node:http').createServer((_request, response) => response.writeHead(200, fields).end(body)).listen(${port});
  `;
  const [command = process.execPath, ...args] = [...onServerCore(), process.execPath, '-e', program];
  const server = spawn(command, args, { stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(() => answers(`${url}${page}`));
    return await load(url, server.pid ?? 0, seconds, { path: page, headers: { 'Accept-Encoding': 'br' } });
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    remove();
  }
}
