import { use } from 'react';
import { useLocation } from 'react-router';
import { isForStaff } from '#app/lib/staff-page.ts';
import file from '#app/site.css?url';
import { NonceContext } from './nonce.ts';

const textInDocument = () => document.querySelector('head > style')?.textContent ?? null;

/**
 * In the browser null on a page that names the file. The text is read from the received page before React starts: when
 * React renders the document's head again, as after some errors, it needs exactly the text whose hash the page's policy
 * allows.
 */
const text: string | null = import.meta.env.SSR ? (await import('#app/site.css?inline')).default : textInDocument();

/**
 * The site's styles. A visitor's page holds them as text, so that its first paint waits for no other request. A page for
 * staff names a file, which their browser keeps: they open one page after the other, and the text was up to two thirds of
 * a page. A document stays as it was received, whichever pages its scripts then show.
 */
export function SiteStyles() {
  const nonce = use(NonceContext);
  const forStaff = isForStaff(useLocation().pathname);
  if (text === null || (import.meta.env.SSR && forStaff)) return <link rel="stylesheet" href={file} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own styles
  return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: text }} />;
}
