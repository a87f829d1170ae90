"""The layout of the page, in Gradio; `answers` makes its content."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import gradio as gr

from augcse.options import MAX_SEED
from augcse.playing.answers import MAX_CHARACTERS, augmented_answer, search_answer, similarities_answer

if TYPE_CHECKING:
    from augcse.playing.session import Session

SENTENCE = "She didn't buy 3 old cars in London, however, because they were too expensive."
SENTENCES = "The mill was built in 1847.\nThey put the mill up in the nineteenth century.\nThe mill was not built in 1847."
TITLE = "augcse play"
# One answer at a time, since the parser and the tokenisers are not thread-safe; none is exposed as an API.
_EVENTS: dict[str, Any] = {"concurrency_limit": 1, "concurrency_id": "answer", "api_visibility": "private"}


def page(session: Session) -> gr.Blocks:
    """Return the page: augment a sentence, search the corpus, compare sentences."""
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as blocks:
        gr.HTML(f'<h1 class="title">{TITLE}</h1>')
        for name, build_tab in (("Augment", _augment_tab), ("Search", _search_tab), ("Compare", _compare_tab)):
            # Otherwise Gradio renders a tab when it is first opened, and resets what is typed into it at once.
            with gr.Tab(name, render_children=True):
                build_tab(session)
    return blocks.queue(api_open=False)


def _augment_tab(session: Session) -> None:
    sentence = gr.Textbox(SENTENCE, label="A sentence", max_length=MAX_CHARACTERS)
    seed = gr.Number(0, label="Seed of what is drawn at random", precision=0, minimum=0, maximum=MAX_SEED)
    button = gr.Button("Augment", variant="primary")
    answer = gr.HTML(augmented_answer(session, SENTENCE, 0))
    gr.on([button.click, sentence.submit, seed.submit], partial(augmented_answer, session), [sentence, seed], answer, **_EVENTS)


def _search_tab(session: Session) -> None:
    if not session.sentences:
        gr.HTML('<p class="plain">There is no corpus to search. Start the page with one: <code>augcse play MODEL CORPUS</code></p>')
        return
    query = gr.Textbox(label=f"Search {len(session.sentences):,} sentences of {session.source}", max_length=MAX_CHARACTERS)
    k = gr.Slider(1, 50, 10, step=1, label="Sentences to show")
    button = gr.Button("Search", variant="primary")
    answer = gr.HTML(apply_default_css=False)
    gr.on([button.click, query.submit], partial(search_answer, session), [query, k], answer, **_EVENTS)


def _compare_tab(session: Session) -> None:
    sentences = gr.Textbox(SENTENCES, label="Sentences, one per line", lines=5, max_lines=20)
    button = gr.Button("Compare", variant="primary")
    answer = gr.HTML(apply_default_css=False)
    button.click(partial(similarities_answer, session), sentences, answer, **_EVENTS)
