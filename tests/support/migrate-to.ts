import { copyFile, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { migrate, migrationsFolder } from '#app/db/migrate.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';

/** Empties a database and brings it to the migration with this number, as a program of that time did. */
export async function migrateTo(db: Db, last: number): Promise<void> {
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateOnTo(db, last);
}

/** Applies what is pending up to the migration with this number, as a program of that time does. */
export async function migrateOnTo(db: Db, last: number): Promise<void> {
  const { folder, remove } = temporaryFolder();
  try {
    const files = await readdir(migrationsFolder);
    const released = files.filter((file) => Number(file.slice(0, 4)) <= last);
    await Promise.all(released.map((file) => copyFile(path.join(migrationsFolder, file), path.join(folder, file))));
    await migrate(db, folder);
  } finally {
    remove();
  }
}

/** Runs the migrations from one number to another, both included, one after the other. */
export async function migrateBetween(db: Db, first: number, last: number): Promise<void> {
  for (const file of (await readdir(migrationsFolder)).sort()) {
    const number = Number(file.slice(0, 4));
    if (number < first || number > last) continue;
    await sql.raw(await readFile(path.join(migrationsFolder, file), 'utf8')).execute(db);
  }
}
