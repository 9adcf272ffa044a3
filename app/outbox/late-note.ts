import { formatMoment } from '#app/lib/short-dates.ts';

const style =
  'margin:0 0 18px;padding:2px 0 2px 16px;border-left:4px solid #e8c872;color:#171334;font-size:17px;line-height:26px';

/**
 * The words of a mail that was handed over long after it was written, with a sentence in front that says so: what it tells
 * may have changed since, and newer mail may have arrived before it.
 */
export function withLateNote(words: { text: string; html: string }, writtenAt: Date): { text: string; html: string } {
  const note = `We wrote this email on ${formatMoment(writtenAt)} (Brisbane time) and could not deliver it until now. If a newer email from us, or a page linked below, says something else, rely on that instead.`;
  const inHtml = `<p class="ink" style="${style}">${note}</p>`;
  return {
    text: `${note}\n\n${words.text}`,
    html: words.html.replace(/<h1\b|$/, (heading) => inHtml + heading),
  };
}
