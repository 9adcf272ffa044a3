import type { MetaDescriptor } from 'react-router';

/** Title and description of a page; the title gets the academy's name. The canonical address stands in root.tsx. */
export function pageMeta(title: string, description: string): MetaDescriptor[] {
  return [{ title: `${title} | Bowerbird Academy` }, { name: 'description', content: description }];
}
