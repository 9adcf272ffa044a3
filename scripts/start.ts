/** `npm start`: builds if anything changed since the last build, then serves. */
import { isDamaged } from '#app/db/connection-failure.server.ts';
import { settingsOrExit } from '#app/env.server.ts';
import { clearStep, serve, showStep } from '#server/serve.ts';

import { buildIfNeeded } from './build.ts';

process.env.NODE_ENV = 'production';
const settings = settingsOrExit();
try {
  const entry = await buildIfNeeded((line) => showStep(line, null));
  await serve(settings, await import(entry));
} catch (error) {
  clearStep();
  console.error(`Could not start: ${reasonOf(error)}`);
  process.exit(1);
}
process.exit(0);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `port ${port} is taken; set ${port === settings.port ? 'PORT' : 'METRICS_PORT'} to another`;
  }
  if (isDamaged(error)) {
    return `the database is damaged and needs a backup (docs/operating.md, Backups): ${error.message}`;
  }
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
