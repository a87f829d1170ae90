"""The papers that the objectives are from, in BibTeX, as model cards have them."""

from __future__ import annotations

AUGCSE = """@inproceedings{tang-etal-2022-augcse,
    title = "{AugCSE}: Contrastive Sentence Embedding with Diverse Augmentations",
    author = "Tang, Zilu and Kocyigit, Muhammed Yusuf and Wijaya, Derry Tanti",
    booktitle = "Proceedings of AACL-IJCNLP",
    year = "2022",
    url = "https://aclanthology.org/2022.aacl-main.30",
}"""
DECLUTR = """@inproceedings{giorgi-etal-2021-declutr,
    title = "{DeCLUTR}: Deep Contrastive Learning for Unsupervised Textual Representations",
    author = "Giorgi, John and Nitski, Osvald and Wang, Bo and Bader, Gary",
    booktitle = "Proceedings of ACL",
    year = "2021",
}"""
DENOSENT = """@inproceedings{wang-etal-2024-denosent,
    title = "{DenoSent}: A Denoising Objective for Self-Supervised Sentence Representation Learning",
    author = "Wang, Xinghao and He, Junliang and Wang, Pengyu and Zhou, Yunhua and Sun, Tianxiang and Qiu, Xipeng",
    booktitle = "Proceedings of AAAI",
    year = "2024",
}"""
DIFFCSE = """@inproceedings{chuang-etal-2022-diffcse,
    title = "{DiffCSE}: Difference-based Contrastive Learning for Sentence Embeddings",
    author = "Chuang, Yung-Sung and Dangovski, Rumen and Luo, Hongyin and Zhang, Yang and Chang, Shiyu and Solja{\\v{c}}i{\\'c}, Marin
        and Li, Shang-Wen and Yih, Wen-tau and Kim, Yoon and Glass, James",
    booktitle = "Proceedings of NAACL",
    year = "2022",
}"""
ESIMCSE = """@inproceedings{wu-etal-2022-esimcse,
    title = "{ESimCSE}: Enhanced Sample Building Method for Contrastive Learning of Unsupervised Sentence Embedding",
    author = "Wu, Xing and Gao, Chaochen and Zang, Liangjun and Han, Jizhong and Wang, Zhongyuan and Hu, Songlin",
    booktitle = "Proceedings of COLING",
    year = "2022",
}"""
MODALS = """@inproceedings{cheung-yeung-2021-modals,
    title = "{MODALS}: Modality-agnostic Automated Data Augmentation in the Latent Space",
    author = "Cheung, Tsz-Him and Yeung, Dit-Yan",
    booktitle = "Proceedings of ICLR",
    year = "2021",
}"""
MIXCSE = """@inproceedings{zhang-etal-2022-unsupervised,
    title = "Unsupervised Sentence Representation via Contrastive Learning with Mixing Negatives",
    author = "Zhang, Yanzhao and Zhang, Richong and Mensah, Samuel and Liu, Xudong and Mao, Yongyi",
    booktitle = "Proceedings of AAAI",
    year = "2022",
}"""
PCA_JITTER = """@inproceedings{ye-etal-2021-efficient,
    title = "Efficient Contrastive Learning via Novel Data Augmentation and Curriculum Learning",
    author = "Ye, Seonghyeon and Kim, Jiseon and Oh, Alice",
    booktitle = "Proceedings of EMNLP",
    year = "2021",
}"""
RANKCSE = """@inproceedings{liu-etal-2023-rankcse,
    title = "{RankCSE}: Unsupervised Sentence Representations Learning via Learning to Rank",
    author = "Liu, Jiduan and Liu, Jiahao and Wang, Qifan and Wang, Jingang and Cai, Xunliang and Zhao, Dongyan and Wang, Ran Lucien and
        Yan, Rui",
    booktitle = "Proceedings of ACL",
    year = "2023",
}"""
SDA = """@article{mao-etal-2022-sda,
    title = "{SDA}: Simple Discrete Augmentation for Contrastive Sentence Representation Learning",
    author = "Mao, Zhenyu and Zhu, Dongsheng and Lu, Jinghui and Zhao, Rui and Tan, Fei",
    journal = "arXiv",
    year = "2022",
}"""
SIMCSE = """@inproceedings{gao-etal-2021-simcse,
    title = "{SimCSE}: Simple Contrastive Learning of Sentence Embeddings",
    author = "Gao, Tianyu and Yao, Xingcheng and Chen, Danqi",
    booktitle = "Proceedings of EMNLP",
    year = "2021",
}"""
SIMCSE_PLUS_PLUS = """@inproceedings{xu-etal-2023-simcse,
    title = "{SimCSE++}: Improving Contrastive Learning for Sentence Embeddings from Two Perspectives",
    author = "Xu, Jiahao and Shao, Wei and Chen, Lihui and Liu, Lemao",
    booktitle = "Proceedings of EMNLP",
    year = "2023",
}"""
SNCSE = """@article{wang-etal-2022-sncse,
    title = "{SNCSE}: Contrastive Learning for Unsupervised Sentence Embedding with Soft Negative Samples",
    author = "Wang, Hao and Li, Yangguang and Huang, Zhen and Dou, Yong and Kong, Lingpeng and Shao, Jing",
    journal = "arXiv preprint arXiv:2201.05979",
    year = "2022",
}"""
TSDAE = """@inproceedings{wang-etal-2021-tsdae,
    title = "{TSDAE}: Using Transformer-based Sequential Denoising Auto-Encoder for Unsupervised Sentence Embedding Learning",
    author = "Wang, Kexin and Reimers, Nils and Gurevych, Iryna",
    booktitle = "Findings of EMNLP",
    year = "2021",
}"""
UNA = """@article{shu-lampos-2024-una,
    title = "Unsupervised hard Negative Augmentation for contrastive learning",
    author = "Shu, Yuxuan and Lampos, Vasileios",
    journal = "arXiv preprint arXiv:2401.02594",
    year = "2024",
}"""
