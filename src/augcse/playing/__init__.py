"""`augcse play`: a local page to try augmentations and models on sentences of one's own. `page` is its layout, the rest needs no gradio."""
