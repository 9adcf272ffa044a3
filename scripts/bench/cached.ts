import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { freePort, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { type Figure, type Part, skipped } from './figure.ts';
import { type Load, load, offServerCore, onServerCore } from './load.ts';
import { memoryOf, withProgram } from './programs.ts';

const seconds = 8;
const page = '/courses';
/** Written by the transport, or by nginx itself. */
const notCopied = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'content-type']);

/** A page from the memory of the program against nginx, which serves the same bytes from a file, each on one core. */
export const cachedPage: Part = {
  name: 'cached',
  run: (say) =>
    withProgram(async ({ url, process: { pid = 0 } }) => {
      const before = memoryOf(pid);
      const answer = await fetchRaw(`${url}${page}`);
      const { ours, bare, nginx } = await offServerCore(async () => ({
        ours: await load(url, pid, seconds, { path: page, headers: { 'Accept-Encoding': 'br' } }),
        bare: await loadBareNode(answer),
        nginx: await loadNginx(answer, say),
      }));
      const size = `${answer.body.length.toLocaleString('en-AU')} bytes in brotli`;
      const figures: Figure[] = [
        ...figuresOf(`cached ${page}`, ours),
        { name: 'cached page: p99 of the program', unit: 'ms', value: ours.p99, goal: { atMost: 5 } },
        { name: 'memory before the load', unit: 'MB', value: before },
        { name: 'memory after it', unit: 'MB', value: memoryOf(pid) },
        ...figuresOf(`a bare server of Node's, the same ${size}`, bare),
        {
          name: 'cached page: share of what a bare server of Node’s does',
          unit: '',
          value: ours.ratePerCore / bare.ratePerCore,
        },
      ];
      if (!nginx) return [...figures, skipped('the same bytes from nginx', 'nginx is not installed')];
      return [
        ...figures,
        ...figuresOf(`nginx, the same ${size}`, nginx),
        {
          name: 'cached page: share of what nginx serves',
          unit: '',
          value: ours.ratePerCore / nginx.ratePerCore,
          goal: { atLeast: 0.5 },
          note: 'by processor time',
        },
        { name: 'cached page: share of nginx by the clock', unit: '', value: ours.rate / nginx.rate },
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

async function loadNginx({ headers, body }: RawAnswer, say: (line: string) => void): Promise<Load | null> {
  const binary = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);
  if (!binary) return null;
  const { folder, remove } = temporaryFolder();
  const port = await freePort();
  mkdirSync(path.join(folder, 'pages'));
  writeFileSync(path.join(folder, 'pages', page.slice(1)), body);
  writeFileSync(path.join(folder, 'nginx.conf'), configuration(folder, port, headers));
  const [command = binary, ...args] = [...onServerCore(), binary, '-p', folder, '-c', path.join(folder, 'nginx.conf')];
  const server = spawn(command, args, { stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(() => answers(`${url}${page}`));
    const same = await fetchRaw(`${url}${page}`);
    if (!same.body.equals(body)) throw new Error('nginx does not serve the same bytes');
    say(`nginx serves the same ${body.length} bytes with ${Object.keys(same.headers).length} header fields`);
    return await load(url, server.pid ?? 0, seconds, { path: page, headers: { 'Accept-Encoding': 'br' } });
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    remove();
  }
}

/** One process that serves the page from a file it holds open, with the program's header fields and without a log. */
function configuration(folder: string, port: number, headers: IncomingHttpHeaders): string {
  const fields = Object.entries(headers).filter(([name]) => !notCopied.has(name));
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const added = fields.map(([name, value]) => `add_header ${name} ${quoted(String(value))};`);
  return `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off; etag off; sendfile on; tcp_nopush on;
  open_file_cache max=100 inactive=60s; open_file_cache_valid 60s;
  keepalive_requests 100000000;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server {
    listen 127.0.0.1:${port};
    location / { root ${folder}/pages; default_type ${quoted(String(headers['content-type']))}; ${added.join(' ')} }
  }
}
`;
}
