/** `npm run db:types`: writes app/db/schema.ts from a freshly migrated database. */

import { runCodegen } from '#scripts/support/codegen.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { openDatabase } from '#server/database.ts';

const data = temporaryFolder();
const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, console.log);
try {
  const { output } = await runCodegen(database.owner, { verify: false });
  console.log(output);
} finally {
  await database.close();
  data.remove();
}
