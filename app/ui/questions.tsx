interface QuestionListProps {
  questions: readonly { question: string; answer: string }[];
}

interface QuestionsProps extends QuestionListProps {
  title: string;
}

export function Questions({ title, questions }: QuestionsProps) {
  return (
    <>
      <h2 id="questions" className="font-display text-3xl font-semibold">
        {title}
      </h2>
      <QuestionList questions={questions} />
    </>
  );
}

/** Questions whose answers unfold on a click, without scripts too. */
export function QuestionList({ questions }: QuestionListProps) {
  return (
    <div className="mt-5 divide-y divide-line border-y border-line">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group">
          <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 py-3 font-medium [&::-webkit-details-marker]:hidden">
            {question}
            <span
              aria-hidden
              className="text-2xl leading-none text-amber-ink transition-transform group-open:rotate-45"
            >
              +
            </span>
          </summary>
          <p className="max-w-prose pb-5 text-muted">{answer}</p>
        </details>
      ))}
    </div>
  );
}
