import type { CrawlerTexts } from "./crawler-text.server.ts";

/** A hidden summary of the product for search engines and assistants. It repeats only what the public pages say. */
export function CrawlerText({ about, plans, questions }: CrawlerTexts) {
  return (
    <div hidden>
      <p>{about}</p>
      <ul>
        {plans.map((plan) => (
          <li key={plan}>{plan}</li>
        ))}
      </ul>
      <dl>
        {questions.map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
