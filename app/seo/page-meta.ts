import type { MetaDescriptor } from 'react-router';

/** Title, description and share text of a page; the title gets the academy's name. root.tsx adds the address. */
export function pageMeta(title: string, description: string): MetaDescriptor[] {
  const whole = `${title} | Bowerbird Academy`;
  return [
    { title: whole },
    { name: 'description', content: description },
    { property: 'og:title', content: whole },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
  ];
}
