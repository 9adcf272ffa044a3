import type { Content } from '#app/features/content/schema.ts';

/** Facts of the academy that stand on every page. */
export type Site = {
  name: string;
  email: string;
  phone: string;
  street: string;
  city: string;
  state: string;
  postcode: string;
  copyrightYear: number;
  social: { name: string; url: string }[];
};

/** What is written rather than counted, as content/ has it. */
export type Texts = Pick<Content, 'heroSlides' | 'partners' | 'claims' | 'pages' | 'faq' | 'resources'>;
