import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type BucketStandIn = {
  /** For `BACKUP_URL`. */
  url: string;
  /** The stored files by name. */
  files: Map<string, { content: Buffer; at: Date }>;
  /** Uploads that were begun and not ended. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; at: Date }>;
  /** While it is, no request is answered. */
  isAway: boolean;
  close(): void;
};

const [keyId, secret, region, bucket] = ['AKIDEXAMPLE', 'wJalr/XUtn+FEMI', 'ap-southeast-2', 'academy'];
/** Few, so that lists have pages. */
const pageOfList = 3;

/** Speaks S3 as far as backups use it, and checks each request's signature (version 4) by AWS's published rule. */
export async function startBucket(): Promise<BucketStandIn> {
  const state: Omit<BucketStandIn, 'url' | 'close'> = { files: new Map(), uploads: new Map(), isAway: false };
  const server = createServer(async (request, response) => {
    if (state.isAway) return void request.socket.destroy();
    const body = await buffer(request);
    const { status, content, headers } = answer(state, request, body);
    response.writeHead(status, headers).end(content);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `s3://${keyId}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${bucket}/night?region=${region}`;
  return Object.assign(state, { url, close: () => void server.close().closeAllConnections() });
}

type Answer = { status: number; content: string | Buffer; headers?: Record<string, string> };
const ok = (content: string | Buffer = '', headers?: Record<string, string>): Answer => ({
  ...{ status: 200, content },
  ...(headers ? { headers } : {}),
});
const fault = (status: number, code: string): Answer => ({
  status,
  content: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});

function answer(
  { files, uploads }: Pick<BucketStandIn, 'files' | 'uploads'>,
  request: IncomingMessage,
  body: Buffer,
): Answer {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://bucket.test');
  const [, named, ...rest] = decodeURIComponent(pathname).split('/');
  const [method, key, id] = [request.method, rest.join('/'), query.get('uploadId') ?? ''];
  if (request.headers.authorization !== signatureOf(request, body)) return fault(403, 'SignatureDoesNotMatch');
  if (named !== bucket) return fault(404, 'NoSuchBucket');
  const upload = uploads.get(id);
  if (key === '') return ok(query.has('uploads') ? uploadsIn(uploads) : listOf(files, query));
  if (method === 'GET') {
    const file = files.get(key);
    return file ? ok(file.content) : fault(404, 'NoSuchKey');
  }
  if (method === 'DELETE') {
    if (id) uploads.delete(id);
    else files.delete(key);
    return { status: 204, content: '' };
  }
  if (query.has('uploads')) {
    const begun = randomUUID();
    uploads.set(begun, { key, parts: new Map(), at: new Date() });
    return ok(`<InitiateMultipartUploadResult><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (method === 'POST' && upload) {
    const parts = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
    files.set(key, { content: Buffer.concat(parts), at: new Date() });
    uploads.delete(id);
    return ok('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }
  if (upload) upload.parts.set(Number(query.get('partNumber')), body);
  else files.set(key, { content: body, at: new Date() });
  return ok('', { etag: `"${createHash('md5').update(body).digest('hex')}"` });
}

function listOf(files: BucketStandIn['files'], query: URLSearchParams): string {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const found = [...files.keys()].filter((name) => name.startsWith(prefix)).toSorted();
  const isBelow = (name: string) => name.slice(prefix.length).includes('/');
  const folders = new Set(found.filter(isBelow).map((name) => `${name.slice(0, name.indexOf('/', prefix.length))}/`));
  const names = found.filter((name) => !isBelow(name) && name > after);
  const page = names.slice(0, pageOfList);
  return `<ListBucketResult>${page.map((name) => `<Contents><Key>${name}</Key><LastModified>${files.get(name)?.at.toISOString()}</LastModified></Contents>`).join('')}${[...folders].map((name) => `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`).join('')}<IsTruncated>${names.length > pageOfList}</IsTruncated>${names.length > pageOfList ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}</ListBucketResult>`;
}

function uploadsIn(uploads: BucketStandIn['uploads']): string {
  const all = [...uploads].map(
    ([id, { key, at }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  );
  return `<ListMultipartUploadsResult>${all.join('')}</ListMultipartUploadsResult>`;
}

/** The header that a request must have: "Create a signed AWS API request" in the guide to AWS's IAM. */
function signatureOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string {
  const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const [pathname = '', search = ''] = url.split('?');
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const content = headers['x-amz-content-sha256'] === 'UNSIGNED-PAYLOAD' ? 'UNSIGNED-PAYLOAD' : hash(body);
  const pairs = search
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const canonical = [
    ...[method, pathname, pairs.toSorted().join('&')],
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    ...['', names.join(';'), content],
  ].join('\n');
  const at = String(headers['x-amz-date']);
  const scope = [at.slice(0, 8), region, 's3', 'aws4_request'];
  const signingKey = scope.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`);
  const text = ['AWS4-HMAC-SHA256', at, scope.join('/'), hash(canonical)].join('\n');
  const signature = hmac(signingKey, text).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${keyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
}
