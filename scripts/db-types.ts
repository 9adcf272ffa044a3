/** `npm run db:types`: writes app/db/schema.ts from a freshly migrated database. */
import { openDatabase } from '#server/database.ts';
import { runCodegen } from '#tests/support/codegen.ts';
import { temporaryFolder } from '#tests/support/program.ts';

const data = temporaryFolder();
const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, console.log);
try {
  console.log(runCodegen(database.connection, { verify: false }).output);
} finally {
  await database.close();
  data.remove();
}
