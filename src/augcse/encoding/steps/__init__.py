"""The post-processing steps, one in each module; see `augcse.encoding.step`."""
