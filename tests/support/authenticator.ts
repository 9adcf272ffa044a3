import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { AcademyApp } from './academy-app.ts';
import { type Browser, openBrowser } from './sign-in.ts';

/** What an authenticator does otherwise than it should, for tests of refusals. */
type Faults = { origin?: string; verified?: boolean; rpId?: string; counter?: number };

/** An authenticator of software, with one passkey: it makes what browsers send, without a browser (WebAuthn level 2). */
export function openAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let counter = 0;
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const dataOf = (faults: Faults, attested: Buffer | null) => {
    const flags = 0x01 | ((faults.verified ?? true) ? 0x04 : 0) | (attested ? 0x40 : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(faults.counter ?? ++counter, 1);
    const host = createHash('sha256')
      .update(faults.rpId ?? new URL(origin).hostname)
      .digest();
    return Buffer.concat([host, head, attested ?? Buffer.alloc(0)]);
  };
  const response = (parts: Record<string, unknown>) =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: parts,
    });
  return {
    id: id.toString('base64url'),
    /** The answer to the options for a new passkey. */
    make({ challenge }: { challenge: string }, faults: Faults = {}): string {
      // COSE key of P-256: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
        Buffer.from(x, 'base64url'),
        Buffer.from([0x22, 0x58, 0x20]),
        Buffer.from(y, 'base64url'),
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = dataOf(faults, Buffer.concat([Buffer.alloc(16), length, id, key]));
      const bytes = Buffer.concat([Buffer.from([0x58, data.length]), data]);
      const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes],
      ]);
      return response({
        clientDataJSON: clientData('webauthn.create', challenge, faults.origin ?? origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** The answer to the options for showing the passkey. */
    show({ challenge }: { challenge: string }, faults: Faults = {}): string {
      const data = dataOf(faults, null);
      const client = clientData('webauthn.get', challenge, faults.origin ?? origin);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return response({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      });
    },
  };
}

type Authenticator = ReturnType<typeof openAuthenticator>;

/** Adds a passkey in a browser that is logged in; `status` is the answer to it. */
export async function addKey(browser: Browser, faults: Faults = {}) {
  const key = openAuthenticator('http://localhost:3000');
  const asked = await browser.post('/account/settings/passkey', { step: 'options' });
  const { options } = await asked.json();
  const response = options ? key.make(options, faults) : '';
  const { status } = await browser.post('/account/settings/passkey', { step: 'answer', response });
  return { key, response, status };
}

/** Shows a passkey in a new browser, at one of the two sign-ins; `status` is the answer to it, `to` where it leads. */
export async function showKey(
  academy: AcademyApp,
  key: Authenticator,
  { at = '/login/passkey', ...faults }: Faults & { at?: string } = {},
) {
  const browser = openBrowser(academy);
  const { options } = await (await browser.post(at, { step: 'options' })).json();
  const response = key.show(options, faults);
  const answer = await browser.post(at, { step: 'answer', response, to: '/account/settings' });
  const { to }: { to?: string } = await answer.json();
  return { browser, response, status: answer.status, to };
}
