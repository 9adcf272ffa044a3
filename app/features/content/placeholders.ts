import type { CrossFault, ReadableContent } from './schema.ts';

const placeholder = /\{\{([A-Za-z.]+)\}\}/g;

/**
 * A text in which `{{abn}}`, `{{address.city}}` and the like are what site.yaml says. One that site.yaml does not have
 * stays as it is. The function `text_with_facts` of the database does the same for the kept versions of /terms.
 */
export function withFacts(text: string, site: object): string {
  return text.replaceAll(placeholder, (whole, path: string) => factAt(site, path) ?? whole);
}

function factAt(site: object, path: string): string | null {
  let at: unknown = site;
  for (const name of path.split('.')) {
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : null;
  }
  return typeof at === 'string' || typeof at === 'number' ? String(at) : null;
}

/** Texts with a placeholder that site.yaml does not have. */
export function placeholderFaults({ site, pages = [], faq = [] }: ReadableContent): CrossFault[] {
  if (!site) return [];
  const unknown = (text: string) => [...text.matchAll(placeholder)].filter(([, path]) => !factAt(site, path ?? ''));
  const faults: CrossFault[] = [];
  pages.forEach(({ body }, at) => {
    for (const [whole] of unknown(body)) {
      faults.push({ file: { name: 'pages' }, path: [at, 'body'], message: `site.yaml has no ${whole}` });
    }
  });
  faq.forEach(({ questions }, at) => {
    questions.forEach(({ answer }, inner) => {
      for (const [whole] of unknown(answer)) {
        const path = [at, 'questions', inner, 'answer'];
        faults.push({ file: { name: 'faq' }, path, message: `site.yaml has no ${whole}` });
      }
    });
  });
  return faults;
}

/** Pages and answers that repeat what site.yaml says: after it is changed they would name somebody else. */
export function typedTwiceFaults({
  site,
  pages,
  faq,
}: Required<Pick<ReadableContent, 'site' | 'pages' | 'faq'>>): CrossFault[] {
  if (!site) return [];
  const { legalName, abn, email, phone, address } = site;
  const facts = { legalName, abn, email, phone, 'address.street': address.street };
  const typedIn = (text: string) =>
    Object.entries(facts).filter(([, fact]) => text.replaceAll(/\s+/g, ' ').includes(fact));
  const message = ([name, fact]: [string, string]) => `write {{${name}}} for "${fact}", which is in site.yaml`;
  return [
    ...(pages ?? []).flatMap(({ body }, at) =>
      typedIn(body).map(
        (fact): CrossFault => ({ file: { name: 'pages' }, path: [at, 'body'], message: message(fact) }),
      ),
    ),
    ...(faq ?? []).flatMap(({ questions }, at) =>
      questions.flatMap(({ answer }, inner) =>
        typedIn(answer).map(
          (fact): CrossFault => ({
            file: { name: 'faq' },
            path: [at, 'questions', inner, 'answer'],
            message: message(fact),
          }),
        ),
      ),
    ),
  ];
}
