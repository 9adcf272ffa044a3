import pg from 'pg';
import { type Connection, servingLimits } from './client.server.ts';

/** A connection that hears the notifications of one channel; a lost one hears nothing and is opened anew by its owner. */
export type Listener = { isLost(): boolean; end(): Promise<void> };

const probeMs = 10_000;

/**
 * Listens to a channel. Every ten seconds it asks whether the server still answers and takes writes: one that hangs, a
 * network that forgot the connection and a server after another took over say nothing by themselves (P91). Throws when
 * it cannot listen.
 */
export async function openListener(
  connection: Connection,
  { name, channel, onNotification }: { name: string; channel: string; onNotification(payload: string): void },
): Promise<Listener> {
  const client = new pg.Client({
    ...connection,
    application_name: `bowerbird ${name}`,
    keepAlive: true,
    connectionTimeoutMillis: servingLimits.answerMs,
    query_timeout: servingLimits.answerMs,
  });
  let lost = false;
  const lose = () => {
    lost = true;
    clearInterval(probe);
  };
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', ({ payload }) => onNotification(payload ?? ''));
  const end = async () => {
    lose();
    await client.end().catch(() => undefined);
  };
  const ask = async () => {
    const { rows } = await client.query(`select current_setting('transaction_read_only')::boolean as passed`);
    if (rows[0]?.passed === true) await end();
  };
  const probe = setInterval(() => void ask().catch(end), probeMs);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    await end();
    throw error;
  }
  return { isLost: () => lost, end };
}
