import type { Page } from '@playwright/test';

/**
 * The code that was mailed to an address, as a newcomer reads it at /mail, on this computer and not through a proxy; an
 * empty text before the mail is there.
 */
export async function mailedCode(page: Page, address: string): Promise<string> {
  const read = async (path: string) => (await fetch(new URL(path, page.url()))).text();
  const list = await read('/mail');
  if (!list.includes(address)) return '';
  const row = list.slice(0, list.indexOf(address)).lastIndexOf('/mail/');
  const id = /\/mail\/[0-9a-f-]{36}/.exec(list.slice(row))?.[0] ?? '';
  const mail = await read(`${id}/html`);
  return />\s*(\d{6})\s*</.exec(mail)?.[1] ?? '';
}
