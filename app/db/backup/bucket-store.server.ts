import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BucketSettings } from '#app/env.server.ts';
import { BackupFault, type BackupStore, placeOf } from './store.server.ts';

/** A bucket has 10,000 parts for a file: 160 GB. Two are in memory at once. */
const [partBytes, partsAtOnce] = [16 * 2 ** 20, 2];
const [connectMs, silentMs] = [5_000, 30_000];

/** A bucket of any service that speaks S3, by paths and without the checksums that only some of them know. */
export function bucketStore(settings: BucketSettings): BackupStore {
  const { endpoint, region, bucket, prefix, keyId, secret } = settings;
  const place = placeOf({ bucket: settings, key: null });
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silentMs },
  });
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name });
  const orFault = (error: unknown): never => {
    throw new BackupFault(`${place} ${faultIn(error, bucket)}`, { cause: error });
  };
  const pages = async (folder: string) => {
    const found = [];
    const query = { Bucket: bucket, Prefix: prefix + folder, Delimiter: '/' };
    for await (const page of paginateListObjectsV2({ client }, query)) found.push(page);
    return found;
  };
  return {
    place,
    async folders() {
      const found = await pages('').catch(orFault);
      const names = found.flatMap(({ CommonPrefixes = [] }) => CommonPrefixes.flatMap(({ Prefix }) => Prefix ?? []));
      return names.map((name) => name.slice(prefix.length, -1));
    },
    async list(folder) {
      const found = await pages(`${folder}/`).catch(orFault);
      return found.flatMap(({ Contents = [] }) =>
        Contents.flatMap(({ Key, LastModified }) =>
          Key && LastModified ? { file: Key.slice(prefix.length + folder.length + 1), storedAt: LastModified } : [],
        ),
      );
    },
    async get(name) {
      const found = await client.send(new GetObjectCommand(at(name))).catch((error: unknown) => {
        return error instanceof NoSuchKey ? null : orFault(error);
      });
      return found?.Body instanceof Readable ? found.Body : null;
    },
    async put(name, content) {
      let [bytes, cutOff]: [number, unknown] = [0, null];
      const counted = async function* () {
        try {
          for await (const chunk of content) {
            bytes += chunk.length;
            yield chunk;
          }
        } catch (error) {
          cutOff = error;
          throw error;
        }
      };
      const params = { ...at(name), Body: Readable.from(counted()) };
      // What fails is aborted, so that no parts are left to be paid for.
      await new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce }).done().catch((error) => {
        throw cutOff ?? orFault(error);
      });
      return bytes;
    },
    async delete(name) {
      await client.send(new DeleteObjectCommand(at(name))).catch(orFault);
    },
    async deleteAbandoned(before) {
      const query = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix });
      const { Uploads = [] } = await client.send(query).catch(orFault);
      for (const { Key, UploadId, Initiated } of Uploads)
        if (Initiated && Initiated < before)
          await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(orFault);
    },
    freeBytes: async () => null,
  };
}

/** After the name of the place. */
function faultIn(error: unknown, bucket: string): string {
  if (!(error instanceof S3ServiceException))
    return `does not answer: ${error instanceof Error ? error.message : error}.`;
  const status = error.$metadata.httpStatusCode ?? 0;
  if (error.name === 'NoSuchBucket') return `has no bucket ${bucket}.`;
  if (status === 401 || status === 403) return `refuses the key of BACKUP_URL: ${error.name}.`;
  return `answers ${status}: ${error.name}.`;
}
