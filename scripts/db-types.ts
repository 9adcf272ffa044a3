/** `npm run db:types`: writes app/db/schema.ts from a freshly migrated database. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '#server/database.ts';
import { runCodegen } from '#tests/support/codegen.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'bowerbird-types-'));
const database = await openDatabase({ dataDir, databaseUrl: undefined }, console.log);
try {
  console.log(runCodegen(database.connection, { verify: false }).output);
} finally {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
}
