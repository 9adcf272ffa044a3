import { Socket } from 'node:net';
import pg from 'pg';

/** Runs one statement on a connection of its own. */
export async function statement(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

const kept = new Map<string, Promise<pg.Client>>();

/**
 * Runs one statement, such as `create database`, on a connection that this process keeps for all of them: to connect
 * takes longer than most statements. The end of the process closes it.
 */
export async function statementOnKept(connection: pg.ClientConfig & { host: string }, text: string): Promise<void> {
  const key = `${connection.host} ${connection.database}`;
  let client = kept.get(key);
  if (!client) {
    client = connectUnnoticed(connection);
    kept.set(key, client);
  }
  await (await client).query(text);
}

/** A connection that keeps no process running. */
async function connectUnnoticed(connection: pg.ClientConfig): Promise<pg.Client> {
  const stream = new Socket();
  const client = new pg.Client({ ...connection, stream: () => stream });
  client.on('error', () => undefined);
  await client.connect();
  stream.unref();
  return client;
}
