export type TextLink = { title: string; url: string; note?: string };

/** A site in Markdown for language models (llmstxt.org): what it is, then its pages in sections. */
export function llmsText(
  name: string,
  summary: string,
  details: string[],
  sections: { title: string; links: TextLink[] }[],
) {
  const list = (links: TextLink[]) =>
    links.map(({ title, url, note }) => `- [${title}](${url})${note ? `: ${note}` : ''}`).join('\n');
  return [
    `# ${name}`,
    `> ${summary}`,
    ...details,
    ...sections.map(({ title, links }) => `## ${title}\n\n${list(links)}`),
  ]
    .join('\n\n')
    .concat('\n');
}
